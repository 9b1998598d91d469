// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Usage: client.mjs EXTENSION-DIRECTORY
//
// The part of VS Code that speaks the protocol, as the extension brings it along
// (vscode-languageclient stands on it), asks `einc lsp` without an editor round
// it.
import {createRequire} from 'node:module';
import {spawn} from 'node:child_process';
import path from 'node:path';

const extension = path.resolve(process.argv[2]);
const require = createRequire(path.join(extension, 'extension.js'));
const protocol = require('vscode-languageserver-protocol/node');

const server = spawn('einc', ['lsp'], {stdio: ['pipe', 'pipe', 'inherit']});
const exited = new Promise((resolve) => server.on('exit', resolve));
const connection = protocol.createProtocolConnection(
    new protocol.StreamMessageReader(server.stdout),
    new protocol.StreamMessageWriter(server.stdin));
const published = new Promise((resolve) => connection.onNotification(
    protocol.PublishDiagnosticsNotification.type, resolve));
connection.listen();

const {capabilities, serverInfo} = await connection.sendRequest(
    protocol.InitializeRequest.type,
    {processId: process.pid, rootUri: null, capabilities: {}});
console.log('server', serverInfo.name, capabilities.positionEncoding);
await connection.sendNotification(protocol.InitializedNotification.type, {});
const textDocument = {uri: 'untitled:Untitled-1'};
await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, {
  textDocument: {...textDocument, languageId: 'ein', version: 1,
                 text: 'C(m, n) +=! A(m, k) * B(k, n)\nD(i) = exq(A(i, i))\n'},
});
for (const diagnostic of (await published).diagnostics)
  console.log('diagnostic', diagnostic.range.start.line, diagnostic.message);
const position = {line: 0, character: 8};
const hover = await connection.sendRequest(protocol.HoverRequest.type,
                                           {textDocument, position});
console.log('hover', JSON.stringify(hover.contents.value));
const edit = await connection.sendRequest(
    protocol.RenameRequest.type,
    {textDocument, position: {line: 0, character: 17}, newName: 'q'});
console.log('rename', edit.changes[textDocument.uri].length);
try {
  await connection.sendRequest(
      protocol.RenameRequest.type,
      {textDocument, position: {line: 0, character: 17}, newName: 'm'});
} catch (error) {
  console.log('refused', error.code, error.message);
}
await connection.sendRequest(protocol.ShutdownRequest.type);
await connection.sendNotification(protocol.ExitNotification.type);
console.log('exit', await exited);
