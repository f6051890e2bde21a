; Included by the installer that electron-builder makes. An update runs the uninstaller, too, and must keep what is set.
; Windows knows the start with the PC by the application's id (Electron: app.setLoginItemSettings, `name`).
!macro customUnInstall
  ${ifNot} ${isUpdated}
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
  ${endIf}
!macroend
