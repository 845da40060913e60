import type { Embedder } from '@eep/core/ports'

const CONCEPTS = [
  ['car', 'cars', 'automobile', 'vehicle', 'driving'],
  ['fruit', 'apple', 'pear', 'orchard', 'harvest'],
  ['ocean', 'sea', 'waves', 'sailing', 'ship'],
  ['music', 'violin', 'orchestra', 'melody'],
] as const

/** Fails calls, or changes their result, while it is set. */
export type EmbedderFault = (texts: readonly string[]) => Promise<readonly (readonly number[])[]> | undefined

export interface FakeEmbedder extends Embedder {
  fault: EmbedderFault | undefined
  /** The texts of all calls, in order. */
  readonly embedded: string[]
}

/** An embedder that knows what a few words have to do with each other: each concept is an axis. */
export function createFakeEmbedder(id = 'concepts:1'): FakeEmbedder {
  const embedded: string[] = []
  const vectorOf = (text: string) => {
    const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
    return CONCEPTS.map((concept) => words.filter((word) => (concept as readonly string[]).includes(word)).length)
  }
  return {
    id,
    dimensions: CONCEPTS.length,
    minSimilarity: 0.5,
    fault: undefined,
    embedded,
    async embed(texts) {
      embedded.push(...texts)
      return (await this.fault?.(texts)) ?? texts.map(vectorOf)
    },
  }
}
