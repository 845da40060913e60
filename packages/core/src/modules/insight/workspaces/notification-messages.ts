import { defineMessages } from '../../../model/messages.ts'

/** The titles of notifications about workspaces. */
export const workspaceNoticeMessages = defineMessages('notice-workspace', {
  en: {
    aMember: 'A member',
    invited: '{who} invites you to a workspace as {role}',
    role: 'Your role in a workspace is now {role}',
    removed: 'You were removed from a workspace',
  },
  de: {
    aMember: 'Ein Mitglied',
    invited: '{who} lädt Sie in einen Arbeitsbereich ein, Rolle: {role}',
    role: 'Ihre Rolle in einem Arbeitsbereich ist jetzt: {role}',
    removed: 'Sie wurden aus einem Arbeitsbereich entfernt',
  },
  ja: {
    aMember: 'メンバー',
    invited: '{who} があなたをワークスペースに招待しています（役割：{role}）',
    role: 'ワークスペースでの役割が {role} になりました',
    removed: 'ワークスペースから削除されました',
  },
  ar: {
    aMember: 'أحد الأعضاء',
    invited: 'يدعوك {who} إلى مساحة عمل بدور: {role}',
    role: 'دورك في مساحة عمل الآن: {role}',
    removed: 'أُزلت من مساحة عمل',
  },
})
