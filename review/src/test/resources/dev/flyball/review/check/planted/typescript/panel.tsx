import React, { useEffect, useMemo, useRef } from 'react';

interface Note {
  id: string;
  title: string;
  html: string;
}

interface PanelProps {
  notes: readonly Note[];
  onOpen?: (note: Note) => void;
}

const LEGEND = { __html: '<em>none</em>' };

export function NoteBody({ note }: { note: Note }): React.JSX.Element {
  const markup = useMemo(() => ({ __html: note.html }), [note]);
  return <article dangerouslySetInnerHTML={markup} />;
}

export function Legend(): React.JSX.Element {
  return <p dangerouslySetInnerHTML={LEGEND} />;
}

export function Title({ note }: { note: Note }): React.JSX.Element {
  const place = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (place.current) {
      place.current.outerHTML = '<h2>' + note.title + '</h2>';
    }
  }, [note]);
  return <h2 ref={place}>{note.title}</h2>;
}

export function Panel({ notes, onOpen }: PanelProps): React.JSX.Element {
  const sorted = useMemo(() => [...notes].sort((a, b) => a.title.localeCompare(b.title)), [notes]);
  return (
    <ul>
      {sorted.map((note) => (
        <li key={note.id} onClick={() => onOpen?.(note)}>
          <Title note={note} />
          <NoteBody note={note} />
        </li>
      ))}
    </ul>
  );
}
