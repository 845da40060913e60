import type { Module } from '../framework/module/define-module.ts'
import type { FeatureOptions } from '../framework/module/feature.ts'
import { auditLog as create } from '../modules/events/audit-log/module.ts'
import type { auditLogOptions } from '../modules/events/audit-log/options.ts'

export type { AuditPermission } from '../modules/events/audit-log/permissions.ts'

/** The options of {@link auditLog}. */
export interface AuditLogOptions extends FeatureOptions<typeof auditLogOptions> {}

/**
 * The audit logs of profiles: signed entries about events, linked by hashes.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/audit-log.md
 * @example
 * await app.register(eep, { ...options, modules: [auditLog()] })
 */
export const auditLog = (options?: AuditLogOptions): Module => create(options)
