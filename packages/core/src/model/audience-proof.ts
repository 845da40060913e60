import { searchEngines as allEngines, KNOWN_SIGNERS, type SearchEngine } from './known-agents.ts'

/** What can be proven of readers. */
export interface ReaderProofs {
  /** Whether signatures of programs are verified. */
  readonly signatures: boolean
  /** The search engines that the addresses of their crawlers prove. */
  readonly searchEngines: readonly SearchEngine[]
}

/** What several modules can prove together. */
export const mergeProofs = (all: readonly ReaderProofs[]): ReaderProofs => ({
  signatures: all.some(({ signatures }) => signatures),
  searchEngines: [...new Set(all.flatMap(({ searchEngines }) => searchEngines))],
})

const hasSigner = (purpose: string): boolean => KNOWN_SIGNERS.some((signer) => `purpose:${signer.purpose}` === purpose)

/**
 * Returns whether a service can ever find that a reader belongs to an audience. `browsers` counts as provable: it is declared by the
 * client.
 *
 * @param isVouchedFor - whether the host classifies readers (`audiences.classify`)
 */
export function provableAudiences({ signatures, searchEngines }: ReaderProofs, isVouchedFor: boolean) {
  const hasOrigins = signatures || isVouchedFor
  return (audience: string): boolean => {
    if (audience === 'verified_bots') return hasOrigins
    if (audience === 'search_engines') return searchEngines.length > 0 || (hasOrigins && hasSigner('purpose:search'))
    if (audience.startsWith('purpose:')) return hasOrigins && hasSigner(audience)
    // A host vouches for origins; only a signature proves the exact URL of a key set.
    if (audience.startsWith('agent:')) {
      const url = audience.slice('agent:'.length)
      return signatures || (isVouchedFor && new URL(url).origin === url)
    }
    return true
  }
}

/** The search engines whose crawlers nothing proves: they do not sign their requests, so only their addresses do. */
export const unprovenSearchEngines = ({
  searchEngines,
}: Pick<ReaderProofs, 'searchEngines'>): readonly SearchEngine[] =>
  allEngines.filter((engine) => !searchEngines.includes(engine))
