@echo off
rem Starts Epistream on the Node that lies beside this file. Double-clicked: records, with the screen in the browser.
rem   Epistream.cmd status --data D    a command; "Epistream.cmd --help" lists them
rem Ctrl+C ends it: what was captured is stored first.
title Epistream
setlocal
rem Explorer shows an archive like a folder, and starts this file alone out of it.
if not exist "%~dp0node.exe" (
  echo Unpack the whole archive first, then start this file in the folder that comes out of it.
  pause
  exit /b 1
)
set "first=%~1"
if "%first%"=="--help" goto command
if "%first%"=="--version" goto command
if not "%first%"=="" if not "%first:~0,1%"=="-" goto command
"%~dp0node.exe" --max-semi-space-size=2 "%~dp0dist\main\cli.js" run --ui 4310 --open %*
set "code=%errorlevel%"
rem A window that was opened by a double click stays until what went wrong was read.
if not "%code%"=="0" pause
exit /b %code%
:command
"%~dp0node.exe" --max-semi-space-size=2 "%~dp0dist\main\cli.js" %*
