import type { Module } from '../framework/module/define-module.ts'
import type { FeatureOptions } from '../framework/module/feature.ts'
import type { SandboxApi, SandboxPaymentsApi } from '../modules/trade/sandbox/api.ts'
import { sandbox as create } from '../modules/trade/sandbox/module.ts'
import type { sandboxOptions } from '../modules/trade/sandbox/options.ts'
import type { SandboxPlansApi } from '../modules/trade/sandbox/plans-api.ts'

export { type SandboxBillingOptions, sandboxBilling } from '../modules/trade/sandbox/billing/sandbox-billing.ts'
export { type SandboxMailerOptions, sandboxMailer } from '../modules/trade/sandbox/mailer.ts'
export { type SandboxRailOptions, sandboxRail } from '../modules/trade/sandbox/rail/sandbox-rail.ts'

declare module '@eep/core' {
  interface EepServices {
    readonly sandbox: SandboxApi
    readonly sandboxPayments: SandboxPaymentsApi
    readonly sandboxPlans: SandboxPlansApi
  }
}

/** The options of {@link sandbox}. */
export interface SandboxOptions extends FeatureOptions<typeof sandboxOptions> {}

/**
 * Play money: pages on which people pay with test cards, and what owners need to try out everything that sells.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/sandbox.md
 * @example
 * await app.register(eep, { ...options, payments: { rails: [sandboxRail({ storage, secret })] }, modules: [sandbox({ key })] })
 */
export const sandbox = (options?: SandboxOptions): Module => create(options)
