/** Between the name of a subgraph's node and the names in it. No name of a node contains it. */
export const separator = ":";

/** Whether a node does something: a graph and each of its subgraphs also list where they start and end. */
export function isWorkingNode(name: string): boolean {
  return !["__start__", "__end__"].includes(name.slice(name.lastIndexOf(separator) + 1));
}
