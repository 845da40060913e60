import { defineMessages } from './messages.ts'

/** The roles of teams and workspaces in sentences. */
export const roleMessages = defineMessages('role', {
  en: {
    owner: 'owner',
    admin: 'admin',
    editor: 'editor',
    viewer: 'viewer',
    reader: 'reader',
  },
  de: {
    owner: 'Inhaber',
    admin: 'Admin',
    editor: 'Bearbeiter',
    viewer: 'Leser',
    reader: 'Leser',
  },
  ja: {
    owner: '所有者',
    admin: '管理者',
    editor: '編集者',
    viewer: '閲覧者',
    reader: '閲覧者',
  },
  ar: {
    owner: 'مالك',
    admin: 'مدير',
    editor: 'محرِّر',
    viewer: 'قارئ',
    reader: 'قارئ',
  },
})
