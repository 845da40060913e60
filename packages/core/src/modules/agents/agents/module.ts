import { defineModule } from '../../../framework/module/define-module.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import { didDocumentSchema } from './did-document.ts'
import { createDidResolver } from './did-resolver.ts'
import { createAgentService } from './service.ts'

/** Agents: resolving DIDs and verifying signed requests. */
export const agents = defineModule({
  name: 'agents',
  requires: [profiles],
  create({ read, write, clock, outbound, settings, metrics }, { profiles }) {
    const dids = createDidResolver({
      fetch: outbound,
      clock,
      allowPrivateHosts: settings.http.allowPrivateHosts,
      // Our own DIDs are read from the storage; a private profile does not resolve.
      own: async (did) => {
        const profile = await profiles.byDid(did).catch(() => undefined)
        return profile && didDocumentSchema.parse(await profiles.getDidDocument(profile))
      },
    })
    return { dids, agents: createAgentService({ read, write, clock, dids, metrics }) }
  },
})
