/**
 * The groups of nodes that can reach each other (Tarjan's strongly connected components of more than one
 * node), each sorted.
 */
export function circles(
  edges: ReadonlyMap<string, readonly string[]>,
): readonly (readonly string[])[] {
  const found: string[][] = [];
  const order = new Map<string, number>();
  const open: string[] = [];
  const visit = (node: string): number => {
    const at = order.size;
    order.set(node, at);
    open.push(node);
    let low = at;
    for (const next of edges.get(node) ?? []) {
      if (!edges.has(next)) continue;
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, order.get(next) ?? low);
    }
    if (low === at) {
      const group = open.splice(open.indexOf(node));
      if (group.length > 1) found.push(group.toSorted());
    }
    return low;
  };
  for (const node of edges.keys()) if (!order.has(node)) visit(node);
  return found;
}
