import type { Permissions } from '../../../model/permission.ts'

declare module '@eep/core' {
  interface EepPermissions {
    'messages.read': true
    'messages.send': true
  }
}

/** What roles permit with messages. */
export const messagePermissions = {
  'messages.read': { role: 'editor', summary: 'Read its conversations' },
  'messages.send': { role: 'editor', summary: 'Send messages, delete and block' },
} as const satisfies Permissions

/** The names of the permissions. */
export type MessagePermission = keyof typeof messagePermissions
