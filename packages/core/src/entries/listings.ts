import type { Module } from '../framework/module/define-module.ts'
import { listings as create } from '../modules/trade/listings/module.ts'

/**
 * Services that profiles list for sale, and reviews of them.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/listings-and-deals.md
 * @example
 * await app.register(eep, { ...options, modules: [listings()] })
 */
export const listings = (): Module => create(undefined)
