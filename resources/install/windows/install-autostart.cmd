@echo off
rem Starts Epistream whenever this user logs on, and again when it fails. What is written behind it goes to Epistream:
rem   install-autostart.cmd --config C:\Epistream\epistream.yaml --data C:\Epistream\data
"%~dp0node.exe" "%~dp0autostart.mjs" install %*
pause
