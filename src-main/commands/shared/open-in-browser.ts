/** Open a link in the browser of this user. A PC without one is no fault: the link stands in the terminal. */
export async function openInBrowser(link: string): Promise<void> {
  if (process.env.BROWSER === 'none') return;
  const { default: openBrowser } = await import('open');
  await openBrowser(link).then(
    (child) => child.on('error', () => {}),
    () => {},
  );
}
