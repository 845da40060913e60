import type { CoreContext } from '../../../framework/module/context.ts'
import type { Worker } from '../../../framework/module/define-module.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Paywall } from '../../access/paywall/index.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { createCatalogueFollower } from './catalogue-follower.ts'
import { createLister } from './catalogue-lister.ts'
import type { Collector } from './collect-resources.ts'
import { railsDigest } from './rails-digest.ts'

/** The name of the consumer of the event log. */
const CONSUMER = 'priced-discovery.catalogue'

export interface CatalogueWorkerDeps {
  readonly collector: Collector
  readonly sold: Paywall['sold']
  readonly profiles: Pick<ProfileService, 'byDid' | 'didOf' | 'getEvenIfUnlisted'>
  readonly verifiedOnly: boolean
  readonly hasRestrictions: boolean
}

/** Creates the worker that keeps the catalogue up to date. */
export function catalogueWorker(
  { read, write, cache, consumers, publicUrl, report, settings }: CoreContext<'pricedResources' | 'followers'>,
  { collector, sold, profiles, verifiedOnly, hasRestrictions }: CatalogueWorkerDeps,
): Worker {
  const lister = createLister({ read, write, cache, collector, sold, profiles, onError: report })
  const listed = () => [...sold.list().filter(({ listing }) => listing !== undefined), ...sold.tools()]

  async function endpointSellers(): Promise<readonly number[]> {
    const found = await Promise.all(
      listed().map(async ({ seller }): Promise<Profile | undefined> => {
        if (seller === undefined) return undefined
        const profile = typeof seller === 'number' ? profiles.getEvenIfUnlisted(seller) : profiles.byDid(seller)
        return profile.catch(() => undefined)
      }),
    )
    return found.flatMap((profile) => profile?.id ?? [])
  }

  const follower = createCatalogueFollower({
    read,
    write,
    lister,
    endpointSellers,
    digest: () =>
      railsDigest(settings.payments.rails, {
        publicUrl,
        verifiedOnly,
        hasRestrictions,
        endpoints: listed().map(({ seller, resource, price, listing }) => ({ seller, resource, price, listing })),
      }),
    onError: report,
  })
  let unfollow: (() => Promise<void>) | undefined
  return {
    start() {
      follower.start()
      unfollow = consumers.durable(CONSUMER, follower.handler)
    },
    async stop() {
      // Another process may take over as soon as this one has stopped to follow.
      await follower.stop()
      await unfollow?.()
    },
  }
}
