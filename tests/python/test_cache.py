#===- test_cache.py - Python takes from disk what another process put ----===#
#
# Part of einc, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM = """
import einc, numpy as np
f = einc.compile('def f(x: f32(N)) -> (y: f32(N)) { let u(i) = x(i)  y(i) = 2 * x(i) }'
                 + %r, **%r)
print(f(np.arange(3, dtype='f4')).tolist(), str(f.signature), len(f.diagnostics))
print(einc.einsum('ij,j->i', np.ones((2, 3)), np.ones(3)).tolist())
assert f.explain() and 'define' in f.emit('llvm-ir')
"""


class Cache(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name + "/cache"
        self.environment = {**os.environ, "EINC_CACHE_DIR": self.folder,
                            "EINC_CACHE_SIZE": "1GiB"}

    def start(self, more="", keywords=None):
        return subprocess.Popen(
            [sys.executable, "-W", "error", "-c", PROGRAM % (more, keywords or {})],
            env=self.environment, text=True, stdout=subprocess.PIPE)

    def run_once(self, *arguments):
        process = self.start(*arguments)
        text, _ = process.communicate()
        self.assertEqual(process.returncode, 0)
        return text

    def used(self):
        """Of the entries, those whose time is not that of `age`."""
        files = [os.path.join(self.folder, name) for name in os.listdir(self.folder)]
        return {file for file in files if os.stat(file).st_mtime > 1}, set(files)

    def age(self):
        for name in os.listdir(self.folder):
            os.utime(os.path.join(self.folder, name), (1, 1))

    def test_second_process(self):
        first = self.run_once()
        _, files = self.used()
        self.age()
        self.assertEqual(self.run_once(), first)
        used, after = self.used()
        self.assertEqual(after, files)
        self.assertEqual(used, files)
        self.assertEqual(first.splitlines()[0],
                         "[0.0, 2.0, 4.0] f(x: f32(N)) -> (y: f32(N)) 1")
        self.assertNotEqual(self.run_once("\n# other"), "")
        self.assertEqual(len(self.used()[1]), len(files) + 1)

    def test_no_cache(self):
        self.environment["EINC_CACHE_SIZE"] = "0"
        self.run_once()
        self.assertFalse(os.path.exists(self.folder))
        self.environment["EINC_CACHE_SIZE"] = "1GiB"
        first = self.run_once("", {"no_cache": True})
        self.assertEqual(len(self.used()[1]), 1)  # of the einsum
        self.assertEqual(self.run_once(), first)

    def test_many_processes(self):
        processes = [self.start() for _ in range(4)]
        texts = {process.communicate()[0] for process in processes}
        self.assertEqual({process.returncode for process in processes}, {0})
        self.assertEqual(len(texts), 1)


if __name__ == "__main__":
    unittest.main()
