#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the manual pages teff.1 and libteff.3. usage: man_pages.py COMMAND HEADER VERSION OUTPUT_FOLDER

What the pages say is what the command answers to --help and 'list variables', and what the comments of teff.h say: nothing stands
here a second time.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ENTRY = re.compile(r"^  (\S.*?)(?:  +(\S.*))?$")
EXCLUDING = re.compile(r"^  (--\S+) +Excludes: (\S+) +(.*)$")
# Of a C header: comments, calls, and the macros and types that programs use.
PARTS = re.compile(r"/\*(.*?)\*/|^TEFF_API ([^;]*;)|^#define (TEFF_ANY_\w+)|^(typedef [^;{]*(?:\{[^}]*\}[^;]*)?;)", re.S | re.M)
TITLE = re.compile(r"^---- (.*) ----$", re.M)


def roff(text):
    """Returns: the text with nothing in it that the formatter would take for its own."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.split("\n"))


def entry(name, text):
    return f".TP\n.B {roff(name)}\n{roff(text or '')}\n"


def head(name, section, version, what):
    return f'.TH {name} {section} "" "Teff {version}" "Teff"\n.SH NAME\n{roff(name)} \\- {roff(what)}\n'


def blocks(help_text):
    """Returns: pairs of a title and its lines, from what --help prints; the first one has the title Usage."""
    found = []
    for line in help_text.splitlines():
        title = re.match(r"^(Usage|Positionals|Options|Subcommands|Exit codes):\s*(.*)$", line)
        if title:
            found.append((title[1], [title[2]] if title[2] else []))
        elif found and line.strip():
            found[-1][1].append(line)
    return found


def entries(lines):
    """Returns: an entry for each name; a line that is not indented is a paragraph of its own."""
    text, waiting = "", None
    for line in lines:
        if not line.startswith(" "):
            text += (entry(*waiting) if waiting else "") + f".PP\n{roff(line)}\n"
            waiting = None
            continue
        found = ENTRY.match(EXCLUDING.sub(r"  \1  \3; not with \2", line))
        if found:
            text += entry(*waiting) if waiting else ""
            waiting = [found[1], found[2] or ""]
        else:  # the rest of a text that had no room in one line
            waiting[1] = f"{waiting[1]} {line.strip()}".strip()
    return text + (entry(*waiting) if waiting else "")


def ask(command, *words):
    return subprocess.run([command, *words], text=True, capture_output=True, check=True).stdout


def usages(help_text):
    """Returns: how a command is called: with a workload, say, and with a program."""
    return re.findall(r"^(?:Usage: )?(teff .*?)(?:: .*)?$", help_text, re.M)


def command_page(command, version):
    whole = dict(blocks(ask(command, "--help")))
    names = [ENTRY.match(line)[1] for line in whole["Subcommands"] if ENTRY.match(line)]
    page = head("teff", 1, version, "run irregular parallel programs on task pools, and compare them")
    page += ".SH SYNOPSIS\n.nf\n" + roff("\n".join(
        usage for each in names for usage in usages(ask(command, each, "--help")))) + "\n.fi\n"
    page += ".SH DESCRIPTION\n.nf\n" + roff(ask(command)) + ".fi\n"
    page += ".SH OPTIONS\n" + entries(whole["Options"])
    for each in names:
        text = ask(command, each, "--help")
        page += f".SH TEFF {each.upper()}\n{roff(text.splitlines()[0])}\n"
        page += "".join(entries(lines) for title, lines in blocks(text) if title != "Usage")
    variables = json.loads(ask(command, "list", "variables", "--json"))
    page += ".SH ENVIRONMENT\n" + "".join(entry(each["name"], each["what"]) for each in variables)
    page += ".SH EXIT STATUS\n" + entries(whole["Exit codes"])
    return page + ".SH SEE ALSO\n.BR libteff (3)\n"


def verbatim(text):
    return f".nf\n{roff(text)}\n.fi\n"


def plain(comment):
    return re.sub(r"\n[ \t]*\* ?", "\n", comment).strip()


def about(comment):
    """Returns: a comment of the header; one that opens a part of it begins with its title."""
    title = TITLE.match(comment)
    if not title:
        return f".RS 4\n{verbatim(comment)}.RE\n"
    return f".SS {roff(title[1])}\n{verbatim(comment[title.end():].strip())}"


def library_page(header, version):
    page = head("libteff", 3, version, "tasks, loops and reductions in parallel, from C")
    page += '.SH SYNOPSIS\n.B #include <teff/teff.h>\n.PP\nLink with the flags of\n.BR "pkg\\-config \\-\\-libs teff" .\n.SH DESCRIPTION\n'
    comments = [plain(comment) for comment, *_ in PARTS.findall(header) if comment]
    page += verbatim(comments[1])  # the first one names the licence
    waiting = ""  # what is said of the declaration to come
    for comment, call, macro, type_name in PARTS.findall(header[header.index("#ifndef"):]):
        if not comment:
            declaration = "\n".join(f"\\fB{roff(line)}\\fR" for line in (call or type_name or macro).split("\n"))
            page, waiting = page + f".PP\n.nf\n{declaration}\n.fi\n" + waiting, ""
        elif TITLE.match(plain(comment)):
            page += about(plain(comment))
        else:
            waiting += about(plain(comment))
    return page + ".SH SEE ALSO\n.BR teff (1)\n"


def main(command, header, version, output):
    output.mkdir(parents=True, exist_ok=True)
    (output / "teff.1").write_text(command_page(command, version), encoding="utf-8")
    (output / "libteff.3").write_text(library_page(header.read_text(encoding="utf-8"), version), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 5:
        raise SystemExit("usage: man_pages.py COMMAND HEADER VERSION OUTPUT_FOLDER")
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3], Path(sys.argv[4]))
