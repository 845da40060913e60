import type { Element, Nodes, Parents } from 'hast'

/** Returns the text of a node and its descendants. */
export const textOf = (node: Nodes): string => {
  if (node.type === 'text') return node.value
  return 'children' in node ? node.children.map(textOf).join('') : ''
}

/**
 * Calls `visit` for each descendant element, parents first. `visit` may replace the element in its parent. When it returns
 * `false`, the children of the element are skipped.
 */
export function visitElements(
  parent: Parents,
  visit: (element: Element, index: number, parent: Parents) => false | undefined,
): void {
  for (const [index, node] of [...parent.children].entries()) {
    if (node.type === 'element' && visit(node, index, parent) !== false) visitElements(node, visit)
  }
}
