import { defineMessages } from '../../../model/messages.ts'

/** The texts of pages with posts. */
export const feedMessages = defineMessages('feed', {
  en: {
    feedOf: 'Feed of {name}',
    postsOf: 'Posts of {name}',
    posts: 'Posts',
    following: 'Posts of followed profiles',
    counts: 'Likes: {likes}, replies: {replies}',
    inReplyTo: 'In reply to a post',
    none: 'Nothing yet.',
    more: 'More',
    replies: 'Replies',
  },
  de: {
    feedOf: 'Beiträge bei {name}',
    postsOf: 'Beiträge von {name}',
    posts: 'Beiträge',
    following: 'Beiträge von Profilen, denen Sie folgen',
    counts: 'Likes: {likes}, Antworten: {replies}',
    inReplyTo: 'Antwort auf einen Beitrag',
    none: 'Noch nichts.',
    more: 'Weitere',
    replies: 'Antworten',
  },
  ja: {
    feedOf: '{name} のフィード',
    postsOf: '{name} の投稿',
    posts: '投稿',
    following: 'フォロー中のプロフィールの投稿',
    counts: 'いいね：{likes}、返信：{replies}',
    inReplyTo: '返信先の投稿',
    none: 'まだありません。',
    more: 'さらに表示',
    replies: '返信',
  },
  ar: {
    feedOf: 'منشورات {name}',
    postsOf: 'منشورات {name}',
    posts: 'المنشورات',
    following: 'منشورات الملفات التي تتابعها',
    counts: 'الإعجابات: {likes}، الردود: {replies}',
    inReplyTo: 'ردًّا على منشور',
    none: 'لا شيء بعد.',
    more: 'المزيد',
    replies: 'الردود',
  },
})
