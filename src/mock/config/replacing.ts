/**
 * The same part with some of its methods done another way. The other methods run on the part itself, so
 * what it keeps in private fields stays its own.
 */
export function replacing<Part extends object>(part: Part, methods: Partial<Part>): Part {
  return new Proxy(part, {
    get(target, name) {
      if (Object.hasOwn(methods, name)) return Reflect.get(methods, name);
      const own: unknown = Reflect.get(target, name);
      return typeof own === 'function' && name !== 'constructor' ? own.bind(target) : own;
    },
  });
}
