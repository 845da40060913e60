import type { Module } from '../framework/module/define-module.ts'
import type { NegotiationsApi } from '../modules/trade/commerce/api.ts'
import { commerce as create } from '../modules/trade/commerce/module.ts'

declare module '@eep/core' {
  interface EepServices {
    readonly negotiations: NegotiationsApi
  }
}

/**
 * Negotiations between buyers and profiles that sell.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/listings-and-deals.md
 * @example
 * await app.register(eep, { ...options, modules: [commerce()] })
 */
export const commerce = (): Module => create(undefined)
