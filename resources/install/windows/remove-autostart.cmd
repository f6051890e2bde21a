@echo off
rem Undoes install-autostart.cmd. A running Epistream goes on; data and settings stay.
"%~dp0node.exe" "%~dp0autostart.mjs" remove
pause
