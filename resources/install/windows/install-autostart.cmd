@echo off
rem Starts Epistream whenever this user logs on, and again when it fails. What is written behind it goes to Epistream:
rem   install-autostart.cmd --config C:\Epistream\epistream.yaml --data C:\Epistream\data
if not exist "%~dp0node.exe" (
  echo Unpack the whole archive first, then start this file in the folder that comes out of it.
  pause
  exit /b 1
)
"%~dp0node.exe" "%~dp0autostart.mjs" install %*
pause
