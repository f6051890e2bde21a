/**
 * True where it is certain that the service did not take what was sent. Takes the failure of a request. Where no answer came, or
 * somebody else's, it may have: a filter of the network lets requests through and holds back their answers.
 */
export function isNotTaken({ kind }: { readonly kind: string }): boolean {
  return kind !== 'ambiguous' && kind !== 'not-the-service';
}
