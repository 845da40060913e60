/** What a lazy object creates its values with, and those that it has so far. */
interface State<Args> {
  readonly args: Args
  readonly values: Partial<Record<string | symbol, unknown>>
}

type Factories<All extends object, Args extends readonly unknown[]> = {
  readonly [Name in keyof All]: (...args: Args) => All[Name]
}

/**
 * Returns a function that creates objects with the values that factories return for its arguments. Each value is created when it is
 * first read. A copy, such as `{ ...stores, pages }`, has all values.
 *
 * @example
 * const open = lazily<Stores, [Db]>({ pages, files })
 * open([db]).pages // calls `pages(db)`, and not `files`
 */
export function lazily<All extends object, Args extends readonly unknown[]>(factories: Factories<All, Args>) {
  const isFactory = (key: string | symbol): key is keyof All & string => Object.hasOwn(factories, key)

  function valueFor({ args, values }: State<Args>, key: string | symbol): unknown {
    if (!Object.hasOwn(values, key) && isFactory(key)) values[key] = factories[key](...args)
    return values[key]
  }

  const isKey = ({ values }: State<Args>, key: string | symbol) => isFactory(key) || Object.hasOwn(values, key)

  const handler: ProxyHandler<State<Args>> = {
    get: valueFor,
    has: isKey,
    ownKeys: ({ values }) => [...new Set([...Object.keys(factories), ...Reflect.ownKeys(values)])],
    // Without the value: each read through another proxy asks for the descriptor too.
    getOwnPropertyDescriptor: (state, key) =>
      isKey(state, key) ? { get: () => valueFor(state, key), enumerable: true, configurable: true } : undefined,
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
    preventExtensions: () => false,
  }

  // The cast: the handler gives the proxy the keys and values of `All`, of which its target has none.
  /** @param fixed - values that exist from the beginning */
  return (args: Args, fixed: Partial<Record<symbol, unknown>> = {}): All =>
    new Proxy<State<Args>>({ args, values: Object.assign(Object.create(null), fixed) }, handler) as unknown as All
}
