import type { Module } from '../framework/module/define-module.ts'
import type { WorkspacesApi } from '../modules/insight/workspaces/api.ts'
import { workspaces as create } from '../modules/insight/workspaces/module.ts'

declare module '@eep/core' {
  interface EepServices {
    readonly workspaces: WorkspacesApi
  }
}

/**
 * Private workspaces: members, invitations and documents.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/workspaces.md
 * @example
 * await app.register(eep, { ...options, modules: [workspaces()] })
 */
export const workspaces = (): Module => create(undefined)
