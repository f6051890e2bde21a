/** Let the browser save an address of this page as a file. It takes out of the name what the system allows in none. */
export function saveAs(url: string, fileName: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
}
