import { createPlanLimits } from '../model/plan.ts'
import { typeDataWith } from '../model/type-data/index.ts'
import type { EepHooks } from '../ports/hooks.ts'
import type { ServiceOptions, Settings } from './options.ts'
import { optionsSchema } from './options-schema.ts'

/**
 * Checks the options and fills in the defaults.
 *
 * @throws TypeError that names each option that is wrong by its path
 */
export function readOptions(options: ServiceOptions): Settings {
  const result = optionsSchema.safeParse(options)
  if (!result.success) {
    const lines = result.error.issues.map(({ path, message }) => `  ${path.join('.') || 'options'}: ${message}`)
    throw new TypeError(`The options of the service are not valid:\n${lines.join('\n')}`)
  }
  const { secret: secrets, rateLimit, cookies, links, hooks, profiles, tiers, ...rest } = result.data
  const { frontendUrl = rest.publicUrl } = rest
  return {
    ...rest,
    secrets: (Array.isArray(secrets) ? secrets : [secrets]) as [string, ...string[]],
    rateLimit: { multiplier: rateLimit.multiplier, store: rateLimit.store },
    cookies: { ...cookies, secure: rest.publicUrl.startsWith('https:') },
    frontendUrl,
    wallets: rest.wallets,
    blobs: rest.blobs,
    converter: rest.converter,
    transcriber: rest.transcriber,
    billing: rest.billing,
    images: rest.images,
    scanner: rest.scanner,
    mailer: rest.mailer,
    links: {
      verifyEmail: links.verifyEmail ?? `${frontendUrl}/verify`,
      resetPassword: links.resetPassword ?? `${frontendUrl}/reset-password`,
      acceptInvitation: links.acceptInvitation ?? `${frontendUrl}/team/invite`,
      transfers: links.transfers ?? `${frontendUrl}/transfers`,
      subscribed: links.subscribed ?? `${frontendUrl}/account/subscription`,
      pricing: links.pricing ?? `${frontendUrl}/pricing`,
    },
    typeData: typeDataWith(profiles.typeData),
    planLimits: createPlanLimits(tiers),
    hooks: hooks as EepHooks,
    logger: rest.logger,
    identity: rest.identity,
  }
}
