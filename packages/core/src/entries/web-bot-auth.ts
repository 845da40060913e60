import { signatureToolkit } from '../adapters/signature-toolkit.ts'
import type { Module } from '../framework/module/define-module.ts'
import type { FeatureOptions } from '../framework/module/feature.ts'
import { webBotAuth as create } from '../modules/agents/web-bot-auth/module.ts'
import type { webBotAuthOptions } from '../modules/agents/web-bot-auth/options.ts'

/** The options of {@link webBotAuth}. */
export interface WebBotAuthOptions extends FeatureOptions<typeof webBotAuthOptions> {}

/**
 * Web Bot Auth: identifies agents and crawlers that sign their requests (RFC 9421) with keys of their operator.
 *
 * @throws Error with the command that installs the missing packages
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/web-bot-auth.md
 * @example
 * await app.register(eep, { ...options, modules: [webBotAuth({ onInvalid: 'reject' })] })
 */
export const webBotAuth = (options?: WebBotAuthOptions): Module => create(options, { toolkit: signatureToolkit() })
