# Completion of rubellite for bash.

_rubellite() {
  local word=${COMP_WORDS[COMP_CWORD]} switches commands="explore races ccbench dump top record"
  local -a replies
  COMPREPLY=()
  case ${COMP_WORDS[1]} in
    explore) switches="--seeds= --first= --jobs= --timeout= --output --races --html= --help" ;;
    races) switches="--suppress= --help" ;;
    ccbench) switches="--with= --from= --threads= --runs= --seconds= --work= --json= --html= --compare= --help" ;;
    dump) switches="--json --locals --help" ;;
    top) switches="--once --json --delay= --help" ;;
    record) switches="-d --duration= -o --output= -f --format= -r --rate= --clock= --lock-report --help" ;;
    *)
      switches="-0 -a -c -C -d -e -E -F -h -i -I -l -n -p -r -s -S -v -w -W -x --backtrace-limit= --capi --copyright --disable=
        --dump= --enable= --engine= --external-encoding= --help --internal-encoding= --jit --jit-mem= --jit-stats --jit-threshold= --lock-report --races --schedule= --trace-lock= --verbose --version"
      ;;
  esac
  if [[ $word == -* ]]; then
    mapfile -t replies < <(compgen -W "$switches" -- "$word")
    [[ ${replies[0]} != *= ]] || compopt -o nospace 2> /dev/null
  elif [[ $COMP_CWORD == 1 ]]; then
    mapfile -t replies < <(compgen -W "$commands" -- "$word"; compgen -f -- "$word")
    compopt -o filenames 2> /dev/null
  elif [[ ${COMP_WORDS[1]} == dump || ${COMP_WORDS[1]} == top || ${COMP_WORDS[1]} == record ]]; then
    mapfile -t replies < <(compgen -W "$(pgrep -u "$(id -u)" rubellite 2> /dev/null)" -- "$word")
  elif [[ ${COMP_WORDS[1]} == ccbench ]]; then
    mapfile -t replies < <(compgen -W "throughput latency roundtrip bandwidth reads" -- "$word")
  else
    mapfile -t replies < <(compgen -f -- "$word")
    compopt -o filenames 2> /dev/null
  fi
  COMPREPLY=("${replies[@]}")
}

complete -F _rubellite rubellite
