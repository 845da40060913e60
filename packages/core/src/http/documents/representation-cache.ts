/**
 * Representations of documents for one listener. They hold bytes, and what describes the bytes: an ETag, links of the document. They
 * hold nothing of a caller and no header of a response.
 */
export interface Representations {
  /**
   * Returns what was made of a source in this variant: a format, in a language. The source is the object that the read of this request
   * returned, after identity, visibility and gate were decided. Reads return another object when anything in it changes, and for each set
   * of gated fields that it leaves out. So the object is a complete key.
   */
  get<Made>(source: object, variant: string, make: () => Made): Made
  /** Lets the next request make this variant again. */
  forget(source: object, variant: string): void
}

/** Caches representations in memory, as long as their sources are cached. */
export interface RepresentationCache {
  /** Creates the representations of a listener. Listeners differ in prefix and routes, and so do their links. */
  ofListener(): Representations
  clear(): void
}

/** Creates an empty {@link RepresentationCache}. */
export function createRepresentationCache(): RepresentationCache {
  let sources = new WeakMap<object, Map<string, unknown>>()
  let listeners = 0

  return {
    ofListener() {
      const listener = `${listeners++} `
      return {
        get<Made>(source: object, variant: string, make: () => Made): Made {
          const key = listener + variant
          const variants = sources.get(source) ?? new Map<string, unknown>()
          sources.set(source, variants)
          // One function makes all values of a key.
          if (variants.has(key)) return variants.get(key) as Made
          const made = make()
          variants.set(key, made)
          return made
        },
        forget: (source, variant) => void sources.get(source)?.delete(listener + variant),
      }
    },
    clear() {
      sources = new WeakMap()
    },
  }
}
