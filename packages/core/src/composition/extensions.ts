import type { Module } from '../module/define-module.ts'
import type { CoreModuleName } from '../modules/index.ts'

/**
 * The modules that a host adds with `extend`, for types: their names in `modules`, what they publish on `app.eep`, and the
 * names of their events. Empty; a host merges its own into it.
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

/** The name of a module of this package, or of one of the host. */
export type ModuleName = CoreModuleName | ExtensionModule['name']
