import type { Permissions } from '../../../model/permission.ts'

declare module '@eep/core' {
  interface EepPermissions {
    'apps.limit': true
  }
}

/** What roles permit with connected apps. */
export const appPermissions = {
  'apps.limit': { role: 'owner', summary: 'Decide which connected apps reach it' },
} as const satisfies Permissions
