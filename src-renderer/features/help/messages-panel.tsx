import { TextInput } from '@mantine/core';
import { useState } from 'react';
import layout from '../../ui/layout.module.css';
import { Quiet } from '../../ui/quiet.tsx';
import classes from './help.module.css';
import { messages } from './messages.ts';

/** What each message means and what to do, searchable by its words. */
export function MessagesPanel() {
  const [text, setText] = useState('');
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = messages.filter(({ message, meaning, todo }) => {
    const all = `${message} ${meaning} ${todo}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  return (
    <div className={layout.stack}>
      <TextInput
        label="Find"
        placeholder="a word of the message, for example certificate"
        className={classes.find ?? ''}
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {found.length === 0 && <Quiet>No message has all of these words. Use fewer.</Quiet>}
      {found.length > 0 && (
        <dl className={classes.messages}>
          {found.map(({ message, meaning, todo }) => (
            <div key={message}>
              <dt>{message}</dt>
              <dd>
                {meaning} <span className={classes.todo}>{todo}</span>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
