"""Prints which packages of its environment were installed from folders.

They belong to one checkout, but the environment is for every revision with the same
dependencies. So it also makes each start of Python look for packages in the folder that
EMULATOR_SITE_PACKAGES names, as if that were a folder of the environment.
"""

import json
import pathlib
import sysconfig
from importlib.metadata import distributions
from urllib.parse import urlsplit
from urllib.request import url2pathname

# https://docs.python.org/3/library/site.html: a line that starts with an import is executed.
LINE = "import os, site; site.addsitedir(os.environ['EMULATOR_SITE_PACKAGES']) if 'EMULATOR_SITE_PACKAGES' in os.environ else None\n"

local = []
for distribution in distributions():
    # https://packaging.python.org/en/latest/specifications/direct-url/
    origin = json.loads(distribution.read_text("direct_url.json") or "{}")
    if "dir_info" in origin:
        folder = url2pathname(urlsplit(origin["url"]).path)
        local.append({"name": distribution.metadata["Name"], "folder": folder})

pathlib.Path(sysconfig.get_path("purelib"), "emulator.pth").write_text(LINE)
print(json.dumps(local))
