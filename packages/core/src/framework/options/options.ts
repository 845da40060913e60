import { z } from 'zod'
import { cookiePolicy } from '../../http/cookies.ts'
import { withAccent } from '../../model/theme.ts'
import { typeDataWith } from '../../model/type-data/index.ts'
import type { EepHooks } from '../../ports/hooks.ts'
import { readShape } from './read-shape.ts'
import { optionsShape } from './shape.ts'

/** Fills in the defaults that depend on other options. */
function complete({ secret, ...options }: z.output<z.ZodObject<typeof optionsShape, z.core.$strict>>) {
  const { publicUrl, frontendUrl = publicUrl, frontendUrls: urls, http } = options
  return {
    ...options,
    secrets: (typeof secret === 'string' ? [secret] : secret) as readonly [string, ...string[]],
    http: { ...http, cookies: cookiePolicy(http.cookies, publicUrl) },
    frontendUrl,
    frontendUrls: {
      verifyEmail: urls.verifyEmail ?? `${frontendUrl}/verify`,
      resetPassword: urls.resetPassword ?? `${frontendUrl}/reset-password`,
      changeEmail: urls.changeEmail ?? `${frontendUrl}/email/change`,
      undoEmail: urls.undoEmail ?? `${frontendUrl}/email/undo`,
      undoPayout: urls.undoPayout ?? `${frontendUrl}/payouts/undo`,
      acceptInvitation: urls.acceptInvitation ?? `${frontendUrl}/team/invite`,
      acceptWorkspaceInvitation: urls.acceptWorkspaceInvitation ?? `${frontendUrl}/workspaces/invite`,
      transfers: urls.transfers ?? `${frontendUrl}/transfers`,
      notifications: urls.notifications ?? `${frontendUrl}/notifications`,
      plan: urls.plan ?? `${frontendUrl}/account/plan`,
      subscribed: urls.subscribed ?? `${frontendUrl}/account/subscription`,
      pricing: urls.pricing ?? `${frontendUrl}/pricing`,
    },
    pages: { ...options.pages, theme: withAccent(options.pages.theme, options.pages.accent) },
    profiles: { ...options.profiles, typeData: typeDataWith(options.profiles.typeData) },
    hooks: options.hooks as EepHooks,
  }
}

const schema = z.strictObject(optionsShape).transform(complete)

/** The options of the service. Only `publicUrl`, `storage` and `secret` are required. */
// Derived from the shape instead of the schema, so that declarations keep the documentation.
export type ServiceOptions = z.core.$InferObjectInput<typeof optionsShape, z.core.$strict['in']>

/** The options with every default filled in. */
export interface Settings extends z.output<typeof schema> {}

/**
 * Checks the options and fills in the defaults.
 *
 * @throws TypeError that lists the path of each invalid option
 */
export function readOptions(options: ServiceOptions): Settings {
  return readShape(schema, options, optionsShape)
}
