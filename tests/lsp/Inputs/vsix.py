# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Says what is in a .vsix, after looking whether VS Code would take it."""
import json
import posixpath
import sys
import xml.etree.ElementTree as xml
import zipfile

archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
names = archive.namelist()
assert len(names) == len(set(names))
manifest = xml.fromstring(archive.read("extension.vsixmanifest"))
types = xml.fromstring(archive.read("[Content_Types].xml"))
space = "{http://schemas.microsoft.com/developer/vsx-schema/2011}"
identity = manifest.find(f"{space}Metadata/{space}Identity")
for asset in manifest.iter(f"{space}Asset"):
    assert asset.get("Path") in names, asset.get("Path")
# Every file has a type, by its suffix or by its name.
known = {entry.get("Extension") for entry in types} | {
    entry.get("PartName") for entry in types}
for name in names[1:]:
    assert posixpath.splitext(name)[1] in known or "/" + name in known, name
package = json.loads(archive.read("extension/package.json"))
assert f"extension/{package['main'].removeprefix('./')}" in names
for part in package["contributes"]["grammars"] + package["contributes"]["languages"]:
    path = part.get("path") or part["configuration"]
    assert f"extension/{path.removeprefix('./')}" in names, path
for dependency in package["dependencies"]:
    assert f"extension/node_modules/{dependency}/package.json" in names
print(identity.get("Publisher"), identity.get("Id"), identity.get("Version"))
print("types" if any(name.endswith(".d.ts") for name in names) else "no types")
