import type { Module } from '../module/define-module.ts'

/**
 * The types of the modules that a host passes: their properties on `app.eep`, and their events. Empty by default; extend it by declaration merging.
 *
 * @example
 * declare module '@eep/core' {
 *   interface EepExtensions {
 *     contact: ReturnType<typeof contactModule>
 *   }
 * }
 */
// biome-ignore lint/suspicious/noEmptyInterface: hosts merge into it
export interface EepExtensions {}

/** The modules of {@link EepExtensions}. */
export type ExtensionModule = Extract<EepExtensions[keyof EepExtensions], Module>
