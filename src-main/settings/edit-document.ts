// Brings a YAML document to hold other data, changing only what differs: comments, order and quoting of the rest stay.
import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, isScalar, isSeq, type Node, type YAMLMap, type YAMLSeq } from 'yaml';

type Data = Record<string, unknown>;

function isData(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The name under which an entry of a list is found again; undefined where entries have none. */
function nameOf(entry: unknown): string | undefined {
  return isData(entry) && typeof entry.id === 'string' ? entry.id : undefined;
}

function editMap(document: Document, map: YAMLMap, wanted: Data): void {
  const now = map.toJS(document) as Data;
  for (const key of Object.keys(now)) if (wanted[key] === undefined) map.delete(key);
  for (const [key, value] of Object.entries(wanted)) {
    if (value === undefined || isDeepStrictEqual(now[key], value)) continue;
    map.set(key, editNode(document, map.get(key, true), value));
  }
}

function editList(document: Document, list: YAMLSeq, wanted: readonly unknown[]): void {
  const former = new Map<string, Node>();
  for (const item of list.items as Node[]) {
    const name = nameOf(item.toJS(document));
    if (name !== undefined) former.set(name, item);
  }
  list.items = wanted.map((entry) => {
    const name = nameOf(entry);
    return editNode(document, name === undefined ? undefined : former.get(name), entry);
  });
}

/** The node that holds the value from now on: the one that is there, where its form allows. */
function editNode(document: Document, node: unknown, value: unknown): Node {
  if (isMap(node) && isData(value)) {
    editMap(document, node, value);
    return node;
  }
  if (isSeq(node) && Array.isArray(value) && value.length > 0) {
    if (!isDeepStrictEqual(node.toJS(document), value)) editList(document, node, value);
    return node;
  }
  if (isScalar(node) && !isData(value) && !Array.isArray(value)) {
    node.value = value;
    // How the former value was written (15, 0x0F, 1e3) says nothing about the new one.
    delete node.format;
    delete node.source;
    return node;
  }
  const made = document.createNode(value);
  if (isScalar(node) || isMap(node) || isSeq(node)) {
    if (node.comment) made.comment = node.comment;
    if (node.commentBefore) made.commentBefore = node.commentBefore;
  }
  return made;
}

/**
 * Edit a YAML document in place until it holds the wanted data. Takes a document whose top is a mapping, without aliases,
 * and plain data. Keys that are absent or undefined are removed; entries of a list are found again by their `id`.
 *
 * @returns nothing; comments and order of what stays, stay.
 */
export function editDocument(document: Document, wanted: Data): void {
  document.contents = editNode(document, document.contents, wanted) as typeof document.contents;
}
