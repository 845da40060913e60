import type { Permissions } from '../../../model/permission.ts'

declare module '@eep/core' {
  interface EepPermissions {
    'files.list': true
    'files.edit': true
    'files.own': true
  }
}

/** What roles permit with files. */
export const filePermissions = {
  'files.list': { role: 'viewer', summary: 'List all files' },
  'files.edit': { role: 'editor', summary: 'Upload, change and delete files' },
  'files.own': { role: 'owner', summary: 'List and delete files by the routes of the owner' },
} as const satisfies Permissions

/** The names of the permissions. */
export type FilePermission = keyof typeof filePermissions
