import { passkeyToolkit } from '../adapters/passkey-toolkit.ts'
import type { Module } from '../framework/module/define-module.ts'
import type { FeatureOptions } from '../framework/module/feature.ts'
import { passkeys as create } from '../modules/people/passkeys/module.ts'
import type { passkeysOptions } from '../modules/people/passkeys/options.ts'

/** The options of {@link passkeys}. */
export interface PasskeysOptions extends FeatureOptions<typeof passkeysOptions> {}

/**
 * Sign-in with passkeys.
 *
 * @throws Error with the command that installs the missing packages
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/passkeys.md
 * @example
 * await app.register(eep, { ...options, modules: [passkeys()] })
 */
export const passkeys = (options?: PasskeysOptions): Module => create(options, { toolkit: passkeyToolkit() })
