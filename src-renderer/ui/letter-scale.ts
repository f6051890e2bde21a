import { useSyncExternalStore } from 'react';

/** Letters of the usual size, pixels. */
const USUAL_PX = 16;

const read = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / USUAL_PX;

function listen(tell: () => void): () => void {
  window.addEventListener('resize', tell);
  return () => window.removeEventListener('resize', tell);
}

/** How much larger than usual letters are on this screen: what is counted in pixels grows with them. */
export const useLetterScale = (): number => useSyncExternalStore(listen, read);
