//===- extension.js - VS Code's side of einc lsp ---------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
'use strict';

const vscode = require('vscode');
const {LanguageClient} = require('vscode-languageclient/node');

let client;

/** Starts `einc lsp`; a failure is shown, and colours work without it. */
async function start() {
  const settings = vscode.workspace.getConfiguration('ein');
  const command = settings.get('server.path', 'einc');
  const server = {
    command,
    args: ['lsp', ...settings.get('server.arguments', [])],
  };
  client = new LanguageClient('ein', 'ein', server, {
    documentSelector: [
      {scheme: 'file', language: 'ein'},
      {scheme: 'untitled', language: 'ein'},
    ],
  });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    vscode.window.showErrorMessage(
        `\`${command} lsp\` does not start: ${error.message}. ` +
        'The setting `ein.server.path` says where einc is.');
  }
}

async function stop() {
  const running = client;
  client = undefined;
  await running?.stop();
}

async function activate(context) {
  context.subscriptions.push(
      vscode.commands.registerCommand('ein.restartServer', async () => {
        await stop();
        await start();
      }),
      vscode.workspace.onDidChangeConfiguration(async (event) => {
        if (!event.affectsConfiguration('ein.server'))
          return;
        await stop();
        await start();
      }));
  await start();
}

module.exports = {activate, deactivate: stop};
