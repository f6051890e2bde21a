"""A tool that writes rows 1 to ROWS, and whose log is rotated by programs that are not ours.

Usage: rotating_tool.py WAY LOG ROWS. Ways: python-size, python-time, python-gzip, logrotate SETTING...
"""
import datetime
import gzip
import logging
import logging.handlers
import os
import shutil
import subprocess
import sys
import threading
import time

WAY, LOG, ROWS = sys.argv[1], sys.argv[2], int(sys.argv[3])
HEAD = "time,cell\n"
ROW_S = 0.004
# Rotated files that are kept: all, so that nothing is destroyed unread on a slow machine.
KEPT = 99
ROTATION_S = 1.1


def rows():
    for number in range(1, ROWS + 1):
        now = datetime.datetime.now(datetime.timezone.utc)
        yield f"{now.isoformat(timespec='milliseconds')[:-6]}Z,{number}"
        time.sleep(ROW_S)


class WithHead:
    def _open(self):
        stream = super()._open()
        if stream.tell() == 0:
            stream.write(HEAD)
            stream.flush()
        return stream


class BySize(WithHead, logging.handlers.RotatingFileHandler):
    pass


class ByTime(WithHead, logging.handlers.TimedRotatingFileHandler):
    pass


def compress(source, target):
    with open(source, "rb") as plain, gzip.open(target, "wb") as packed:
        shutil.copyfileobj(plain, packed)
    os.remove(source)


def log_with(handler):
    handler.setFormatter(logging.Formatter("%(message)s"))
    for row in rows():
        handler.emit(logging.LogRecord("log", logging.INFO, "", 0, row, None, None))
    handler.close()


def open_log():
    stream = open(LOG, "a", buffering=1)
    if os.fstat(stream.fileno()).st_size == 0:
        stream.write(HEAD)
    return stream


def is_open_at_path(stream):
    try:
        return os.fstat(stream.fileno()).st_ino == os.stat(LOG).st_ino
    except FileNotFoundError:
        # logrotate makes the new one. One that was made before it is renamed, by the hour: the second within one writes over the
        # first, and its rows are nowhere.
        return True


def log_beside_logrotate(settings):
    beside = os.path.join(os.path.dirname(os.path.dirname(LOG)), "logrotate")
    with open(beside + ".conf", "w") as conf:
        owner = "su root root\n" if os.getuid() == 0 else ""
        conf.write(f"{LOG} {{\n{owner}rotate {KEPT}\nmissingok\n" + "\n".join(settings) + "\n}\n")
    os.chmod(beside + ".conf", 0o644)
    ended = threading.Event()

    def rotate():
        while not ended.wait(ROTATION_S):
            subprocess.run(["/usr/sbin/logrotate", "-f", "-s", beside + ".state", beside + ".conf"], check=True)

    rotating = threading.Thread(target=rotate)
    rotating.start()
    stream = open_log()
    for row in rows():
        if not is_open_at_path(stream):
            stream.close()
            stream = open_log()
        stream.write(row + "\n")
    ended.set()
    rotating.join()
    stream.close()


if WAY == "python-size":
    log_with(BySize(LOG, maxBytes=4000, backupCount=KEPT))
elif WAY == "python-time":
    log_with(ByTime(LOG, when="S", interval=1, backupCount=KEPT))
elif WAY == "python-gzip":
    handler = BySize(LOG, maxBytes=4000, backupCount=KEPT)
    handler.namer = lambda name: name + ".gz"
    handler.rotator = compress
    log_with(handler)
elif WAY == "logrotate":
    log_beside_logrotate(sys.argv[4:])
else:
    sys.exit(f"no such way: {WAY}")
