@echo off
rem Starts Epistream on the Node that lies beside this file. Double-clicked: records, with the screen in the browser.
rem   Epistream.cmd status --data D    a command; "Epistream.cmd --help" lists them
rem Ctrl+C ends it: what was captured is stored first.
title Epistream
setlocal
set "first=%~1"
if "%first%"=="--help" goto command
if not "%first%"=="" if not "%first:~0,1%"=="-" goto command
"%~dp0node.exe" --max-semi-space-size=2 "%~dp0dist\main\cli.js" run --ui 4310 --open %*
set "code=%errorlevel%"
rem A window that was opened by a double click stays until what went wrong was read.
if not "%code%"=="0" pause
exit /b %code%
:command
"%~dp0node.exe" --max-semi-space-size=2 "%~dp0dist\main\cli.js" %*
