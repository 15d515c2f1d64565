/** A place in an `OwnerHeap`. */
export interface HeapNode {
  /** The node with the least time is first. */
  time: number;
  /** Of nodes with the same time the one that came first. */
  order: number;
  /** Its index in the heap that holds it; -1 in none. Written by the heap only. */
  position: number;
}

/** A binary heap whose nodes know their place, so that any of them can leave it: every operation is O(log n). */
export class OwnerHeap<N extends HeapNode> {
  readonly #nodes: N[] = [];

  get size(): number {
    return this.#nodes.length;
  }

  get first(): N | undefined {
    return this.#nodes[0];
  }

  add(node: N): void {
    this.#nodes.push(node);
    this.#rise(node, this.#nodes.length - 1);
  }

  remove(node: N): void {
    const { position } = node;
    if (this.#nodes[position] !== node) return;
    node.position = -1;
    const last = this.#nodes.pop();
    if (!last || last === node) return;
    this.#rise(last, position);
    this.#sink(last, last.position);
  }

  #rise(node: N, from: number): void {
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = this.#nodes[above];
      if (!parent || !isBefore(node, parent)) break;
      this.#put(parent, at);
      at = above;
    }
    this.#put(node, at);
  }

  #sink(node: N, from: number): void {
    let at = from;
    for (;;) {
      const left = this.#nodes[2 * at + 1];
      const right = this.#nodes[2 * at + 2];
      const least = left && right && isBefore(right, left) ? right : left;
      if (!least || !isBefore(least, node)) break;
      const below = least.position;
      this.#put(least, at);
      at = below;
    }
    this.#put(node, at);
  }

  #put(node: N, at: number): void {
    this.#nodes[at] = node;
    node.position = at;
  }
}

function isBefore(a: HeapNode, b: HeapNode): boolean {
  return a.time < b.time || (a.time === b.time && a.order < b.order);
}
