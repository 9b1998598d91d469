//===- package.mjs - Makes the .vsix ---------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Usage: npm run package [-- OUT.vsix]
//
// A .vsix is a zip file: `extension/` has the extension and what it requires,
// `extension.vsixmanifest` says what it is, `[Content_Types].xml` what kinds of
// files there are. The bytes depend on the files alone: names are sorted, and
// all have one date.
//
//===-----------------------------------------------------------------------===//
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import zlib from 'node:zlib';

const root = path.dirname(fileURLToPath(import.meta.url));
const info = JSON.parse(fs.readFileSync(path.join(root, 'package.json')));
const output =
    path.resolve(process.argv[2] ?? `${info.name}-${info.version}.vsix`);

/** The files of the extension, and of the packages that it runs with. */
function listFiles() {
  const files = ['package.json', 'README.md', 'extension.js',
                 'ein.tmLanguage.json', 'language-configuration.json'];
  const lock =
      JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json')));
  for (const [folder, entry] of Object.entries(lock.packages)) {
    if (!folder || entry.dev)
      continue;
    const all = path.join(root, folder);
    if (!fs.existsSync(all))
      throw new Error(`${folder} is missing: run \`npm ci\` first`);
    for (const name of fs.readdirSync(all, {recursive: true}))
      if (fs.statSync(path.join(all, name)).isFile() && isNeeded(name))
        files.push(path.posix.join(folder, name.split(path.sep).join('/')));
  }
  // The licence of the repository, as it is this directory's too.
  return [...new Set(files)].sort();
}

/** Types and maps are for who develops with a package. */
function isNeeded(name) {
  return !/\.d\.ts$|\.map$|(^|\/)(test|tests|typings)\//.test(name);
}

const manifest = `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${info.name}" Version="${info.version}"
              Publisher="${info.publisher}"/>
    <DisplayName>${info.displayName}</DisplayName>
    <Description xml:space="preserve">${info.description}</Description>
    <Tags>ein,einsum</Tags>
    <Categories>${info.categories.join(',')}</Categories>
    <License>extension/LICENSE.txt</License>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${info.engines.vscode}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json"
           Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md"
           Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt"
           Addressable="true"/>
  </Assets>
</PackageManifest>
`;

/** A type for each suffix; a file without one is named. */
function makeTypes(names) {
  const known = {'.json': 'application/json', '.js': 'application/javascript',
                 '.md': 'text/markdown', '.txt': 'text/plain',
                 '.vsixmanifest': 'text/xml'};
  const suffixes = new Set(names.map((name) => path.posix.extname(name)));
  let text = '<?xml version="1.0" encoding="utf-8"?>\n' +
             '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">\n';
  for (const suffix of [...suffixes].filter(Boolean).sort())
    text += `  <Default Extension="${suffix}" ` +
            `ContentType="${known[suffix] ?? 'application/octet-stream'}"/>\n`;
  for (const name of names.filter((name) => !path.posix.extname(name)))
    text += `  <Override PartName="/${name}" ContentType="text/plain"/>\n`;
  return text + '</Types>\n';
}

/** The bytes of a zip file of [name, bytes] pairs. */
function makeZip(entries) {
  const DATE = (1980 - 1980) << 9 | 1 << 5 | 1;
  const parts = [], directory = [];
  let offset = 0;
  for (const [name, bytes] of entries) {
    const packed = zlib.deflateRawSync(bytes, {level: 9});
    const nameBytes = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);      // the version that can read it
    common.writeUInt16LE(1 << 11, 2); // the name is UTF-8
    common.writeUInt16LE(8, 4);       // deflated
    common.writeUInt16LE(DATE, 8);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    parts.push(Buffer.from('PK\x03\x04'), common, nameBytes, packed);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((0o100644 << 16) >>> 0, 6); // a file that all may read
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), common,
                   rest, nameBytes);
    offset += 4 + common.length + nameBytes.length + packed.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(index.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, index, Buffer.from('PK\x05\x06'), end]);
}

function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit !== 8; ++bit)
      crc = crc >>> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
  }
  return ~crc >>> 0;
}

const entries = listFiles().map(
    (name) => [`extension/${name}`, fs.readFileSync(path.join(root, name))]);
entries.push(['extension/LICENSE.txt',
              fs.readFileSync(path.join(root, '../../LICENSE'))]);
const names = ['extension.vsixmanifest', ...entries.map(([name]) => name)];
entries.unshift(['[Content_Types].xml', Buffer.from(makeTypes(names))],
                ['extension.vsixmanifest', Buffer.from(manifest)]);
fs.writeFileSync(output, makeZip(entries));
console.log(`${path.basename(output)}: ${entries.length} files, ` +
            `${fs.statSync(output).size} bytes`);
