@echo off
rem Undoes install-autostart.cmd. A running Epistream goes on; data and settings stay.
if not exist "%~dp0node.exe" (
  echo Unpack the whole archive first, then start this file in the folder that comes out of it.
  pause
  exit /b 1
)
"%~dp0node.exe" "%~dp0autostart.mjs" remove
pause
