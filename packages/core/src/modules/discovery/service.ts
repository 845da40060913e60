import { errorDefinitions, notFound } from '../../kernel/errors.ts'
import type { Keyring } from '../../kernel/keyring.ts'
import type { Settings } from '../../options.ts'
import { serviceDid } from '../profiles/index.ts'
import { bootstrapOf, capabilitiesOf, type RateFacts } from './capabilities.ts'
import { serviceDidDocument } from './did-document.ts'
import { catalogueOf } from './error-catalogue.ts'
import { manifestOf, type ServiceFacts } from './manifest.ts'
import type { Offer } from './offered-route.ts'
import { paymentGuideOf } from './payment-guide.ts'

export interface DiscoveryDeps {
  readonly settings: Pick<Settings, 'name' | 'description' | 'publicUrl' | 'rails'>
  /** Where payment is explained. */
  readonly docsUrl: string
  readonly keyring: Pick<Keyring, 'publicKeys'>
  readonly rates: RateFacts
}

/** Tells what the service is and what it can do, from how it is configured and which routes it answers. */
export function createDiscoveryService({ settings, docsUrl, keyring, rates }: DiscoveryDeps) {
  const { name, description, publicUrl, rails } = settings
  const did = serviceDid(publicUrl)
  const facts: ServiceFacts = { name, description, publicUrl, did, rails }

  return {
    publicUrl,
    bootstrap: (offer: Offer) => bootstrapOf(facts, offer),
    manifest: (offer: Offer) => manifestOf(facts, offer),
    capabilities: (offer: Offer) => capabilitiesOf(facts, rates, docsUrl, offer),
    paymentGuide: (offer: Offer) => paymentGuideOf(rails, offer),
    publicKeys: () => ({ keys: keyring.publicKeys }),
    didDocument: () => serviceDidDocument(did, publicUrl, keyring.publicKeys),
    errors: () => catalogueOf(errorDefinitions()),
    /** One entry of the catalogue; throws `not_found` for a code that nothing answers. */
    error(code: string) {
      const entry = catalogueOf(errorDefinitions()).find((one) => one.code === code)
      if (!entry) throw notFound({ message: 'No error has this code' })
      return entry
    },
  }
}

export type DiscoveryService = ReturnType<typeof createDiscoveryService>
