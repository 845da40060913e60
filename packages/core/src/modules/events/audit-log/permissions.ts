import type { Permissions } from '../../../model/permission.ts'

declare module '@eep/core' {
  interface EepPermissions {
    'audit.read': true
  }
}

/** What roles permit with the audit log. */
export const auditPermissions = {
  'audit.read': { role: 'owner', summary: 'Read its audit log' },
} as const satisfies Permissions

/** The names of the permissions. */
export type AuditPermission = keyof typeof auditPermissions
